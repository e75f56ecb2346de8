//! Panics of programs under test are verdicts, and are not printed.

use std::sync::Once;

use super::driver::with;
use super::step::fault::{Fault, Panic};
use super::step::reply::Stop;

/// Puts a hook before the process's panic hook that takes the panics of programs under test. Others go to the former hook.
/// Every exploration calls this; only the first call does anything. Whoever exchanges the panic hook too calls it first.
pub fn install_panic_hook() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let former = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let taken = with(|run| {
                let thread = run.current?;
                let at = info.location().map(ToString::to_string);
                run.stop(Stop::Fault(Fault::Panicked(Panic::new(Some(thread), at, info.payload()))));
                Some(())
            });
            if taken.flatten().is_none() {
                former(info);
            }
        }));
    });
}
