//! The audit of a layout's orderings, one after the other.

use std::sync::Arc;

use countersign::Layout;

use super::accepted::Accepted;
use super::job::{Found, Kill, search};
use super::source::Source;
use crate::engine;
use crate::engine::wrap::rewriting::{Instead, Rewriting, Site};
use crate::study::check::{pool, short_name};
use crate::subject::LayoutEntry;

/// What was found of a layout's orderings. Displays as a table; as the result of a test or of `main` it is a failure
/// unless every ordering is needed and explained.
#[derive(Clone, Debug)]
#[must_use = "an audit that nobody looks at may have failed"]
pub struct OrderingAudit {
    /// The layout's name.
    pub layout: String,
    /// What became of the claims with all orderings as they are written.
    pub as_written: Fate,
    /// The operations, by file and line. There are none if a claim fails as they are written.
    pub sites: Vec<AuditedSite>,
    /// Orderings that can all be put in place of those that are written, at once. They are found greedily: none of what
    /// survives alone, and is not here, can be added.
    pub weakest: Vec<(Site, Instead)>,
}

/// An ordering in the source, and everything weaker.
#[derive(Clone, Debug)]
pub struct AuditedSite {
    /// Where it is written.
    pub site: Site,
    /// Whether a comment stands within three lines above it, or behind it; `None` if the source cannot be read here.
    pub has_comment: Option<bool>,
    /// What becomes of the claims with something weaker.
    pub weaker: Vec<(Instead, Fate)>,
}

/// What becomes of a layout's claims.
#[derive(Clone, Debug)]
pub enum Fate {
    /// One fails.
    Killed(Box<Kill>),
    /// All hold.
    Survives,
    /// All hold, and none of them is about it.
    Accepted(&'static Accepted),
    /// Not everything could be explored, for this reason.
    Unknown(String),
}

/// Audits the orderings of `L`: a small instance, as for [`verify`](crate::verify()).
pub fn orderings<L: Layout>() -> OrderingAudit {
    OrderingAudit::of(&LayoutEntry::new::<L>(short_name::<L>()), pool::cores())
}

impl OrderingAudit {
    /// Audits a layout, so many explorations at once.
    pub fn of(layout: &LayoutEntry, at_once: usize) -> Self {
        engine::install_hooks();
        let written = Arc::new(Rewriting::default());
        let as_written = match search(&layout.rewritten(&written)) {
            Found::Kill(kill) => Fate::Killed(kill),
            Found::Nothing => Fate::Survives,
            Found::Unknown(why) => Fate::Unknown(why),
        };
        let mut audit = Self { layout: layout.name.to_owned(), as_written, sites: Vec::new(), weakest: Vec::new() };
        if !matches!(audit.as_written, Fate::Survives) {
            return audit;
        }
        let jobs: Vec<_> = written
            .sites()
            .into_iter()
            .flat_map(|site| site.weaker().into_iter().map(move |instead| (site, instead)))
            .collect();
        let work = |(site, instead): &(Site, Instead)| fate(layout, *site, *instead);
        let mut fates = pool::run(&jobs, at_once, |_| false, work, |_| ()).into_iter();
        for site in written.sites() {
            let weaker = site.weaker().into_iter().zip(fates.by_ref()).collect();
            audit.sites.push(AuditedSite {
                site,
                has_comment: Source::of(&site).map(|source| source.has_comment()),
                weaker,
            });
        }
        audit.weakest = audit.find_weakest(layout);
        audit
    }

    /// Whether every ordering is needed, and says why it is there.
    pub fn holds(&self) -> bool {
        self.exit_code() == 0
    }

    /// As `countersign orderings` exits: 1 if a claim fails as written, something survives or has no comment; 3 if not
    /// everything could be explored, a source could not be read, or no operation was met.
    pub fn exit_code(&self) -> u8 {
        let fates = || self.sites.iter().flat_map(|site| &site.weaker).map(|(_, fate)| fate);
        let has_no_comment = self.sites.iter().any(|site| site.has_comment == Some(false));
        let is_red = matches!(self.as_written, Fate::Killed(_)) || fates().any(|fate| matches!(fate, Fate::Survives));
        let is_unknown = fates().chain([&self.as_written]).any(|fate| matches!(fate, Fate::Unknown(_)));
        let is_unread = self.sites.iter().any(|site| site.has_comment.is_none());
        if is_red || has_no_comment { 1 } else { 3 * u8::from(is_unknown || is_unread || self.sites.is_empty()) }
    }

    /// Greedily: each ordering that survives is put in place of the one that is written if the claims hold with those that
    /// were put there before. More of them only adds executions, so what was refused once need not be tried again.
    fn find_weakest(&self, layout: &LayoutEntry) -> Vec<(Site, Instead)> {
        let survives = |site: &AuditedSite| -> Vec<_> {
            let weaker = site.weaker.iter().filter(|(_, fate)| matches!(fate, Fate::Survives));
            weaker.map(|(instead, _)| (site.site, *instead)).collect()
        };
        let candidates: Vec<_> = self.sites.iter().flat_map(survives).collect();
        let mut weakest: Vec<(Site, Instead)> = Vec::new();
        for (site, instead) in candidates {
            if weakest.iter().any(|(taken, _)| *taken == site) {
                continue;
            }
            let all = weakest.iter().copied().chain([(site, instead)]);
            if matches!(search(&layout.rewritten(&Arc::new(Rewriting::new(all)))), Found::Nothing) {
                weakest.push((site, instead));
            }
        }
        weakest
    }
}

fn fate(layout: &LayoutEntry, site: Site, instead: Instead) -> Fate {
    match search(&layout.rewritten(&Arc::new(Rewriting::new([(site, instead)])))) {
        Found::Kill(kill) => Fate::Killed(kill),
        Found::Unknown(why) => Fate::Unknown(why),
        Found::Nothing => Accepted::of(&site, instead).map_or(Fate::Survives, Fate::Accepted),
    }
}

impl Fate {
    /// Its name, as reports write it.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Killed(_) => "killed",
            Self::Survives => "survives",
            Self::Accepted(_) => "accepted",
            Self::Unknown(_) => "unknown",
        }
    }
}
