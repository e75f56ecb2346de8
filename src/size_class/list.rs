//! Tables of any ascending list of bounds.

mod go;
mod lookup;
mod runtime;
mod table;
mod table_error;

pub use go::{Go, GoBounds};
pub use runtime::RuntimeTable;
pub use table::{Table, UpperBounds};
pub use table_error::TableError;
