//! Threads exit.

pub mod double_exit;
pub mod exit_while_exit;
pub mod exit_while_snapshot;
pub mod late_record;
pub mod scope_exit;
pub mod threads_come_and_go;
