//! Mistakes that tests put into the engine, to show that the simulator notices them. Other builds have none.

/// A mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Of two operations, the one that arrived last wins.
    LastToArrive,
    /// When a log forks, only the operation that arrived first is kept.
    ForkDropped,
    /// A removal does not change the epoch.
    SameEpoch,
    /// What a device writes after its removal counts.
    NoCut,
    /// A limited device may write anything.
    LimitedAsFull,
    /// Of two heads in one place, the one that arrived first goes on.
    FirstHead,
    /// Branches are not joined.
    NotJoined,
    /// What a device can't read is named as joined all the same.
    UnreadJoined,
    /// The state in a head is sealed under that head's epoch.
    StateOwnEpoch,
    /// Keys that a device has are dropped if the last head lacks them.
    #[cfg(test)]
    KeysDropped,
    /// A relay that forgot records is not noticed.
    RelayTrusted,
    /// Records are sent in the order of their ids.
    SentById,
    /// What a limited device wrote on a branch that was left out is not written again.
    NotWrittenAgain,
}

/// The mistake that was put in, if any.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Faults {
    #[cfg(test)]
    pub(crate) put_in: Option<Fault>,
}

impl Faults {
    /// Whether this mistake was put in.
    #[cfg(test)]
    pub(crate) fn has(self, fault: Fault) -> bool {
        self.put_in == Some(fault)
    }

    /// Whether this mistake was put in.
    #[cfg(not(test))]
    pub(crate) const fn has(self, _: Fault) -> bool {
        false
    }
}
