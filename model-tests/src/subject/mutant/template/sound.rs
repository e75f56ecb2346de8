//! No fault at all.

use super::folding::FoldingFault;
use super::shared::SharedFault;
use super::slots::SlotsFault;

/// No fault.
pub(crate) enum Sound {}

impl SlotsFault for Sound {}
impl FoldingFault for Sound {}
impl SharedFault for Sound {}
