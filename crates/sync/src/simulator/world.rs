//! Devices and a relay, and what steps do to them.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use super::relay::{Appended, Record, Relay};
use super::rng::Rng;
use super::step::Step;
use crate::bytes::{AccountId, DeviceId, Raw, RecordId};
use crate::change::{Change, Thing};
use crate::device::{Device, HeadChange};
use crate::device_keys::DeviceKeys;
use crate::error::SyncError;
use crate::fault::Fault;
use crate::head::{Head, Member, Role};
use crate::record;
use crate::relay_view::Page;

const MOST_DEVICES: usize = 7;
const PAGE: usize = 4;
const YEAR: u64 = 31_557_600;

/// A device of a person: in memory, and as it is stored.
#[derive(Clone)]
pub struct Node {
    pub keys: DeviceKeys,
    pub ram: Device,
    pub disk: Device,
    copy: Option<Device>,
    /// What its person was told is saved.
    pub saved: BTreeSet<RecordId>,
    /// The head changes that its person asked for.
    pub asked: Vec<HeadChange>,
    clock: u64,
    list: usize,
    withheld: usize,
}

/// A record by a device that knew that it had been removed, or that is limited.
pub struct Forged {
    pub author: DeviceId,
    /// The heads that its author knew to have removed it; none if it is limited.
    pub by: BTreeSet<RecordId>,
}

/// A removal, with what its author had read.
pub struct Removal {
    pub of: DeviceId,
    /// The ends of the removed device's log.
    pub cut: Vec<RecordId>,
    /// The heads that the remover had read.
    pub heads: BTreeSet<RecordId>,
}

/// All of it.
pub struct World {
    pub nodes: Vec<Node>,
    pub relay: Relay,
    pub rng: Rng,
    /// For each operation, the removed devices that its author knew of, and the heads that removed them.
    pub known_removed: BTreeMap<RecordId, Vec<(DeviceId, RecordId)>>,
    /// What devices wrote without being allowed to.
    pub forged: BTreeMap<RecordId, Forged>,
    /// Every removal that was tried, by its head.
    pub removals: BTreeMap<RecordId, Removal>,
    /// The operations that were written again, and as which.
    again: BTreeMap<RecordId, Vec<RecordId>>,
    /// What each record needs to count.
    needs: BTreeMap<RecordId, Vec<RecordId>>,
    /// The records that each record names.
    names: BTreeMap<RecordId, Vec<RecordId>>,
    /// What a device has done wrong, if anything.
    pub wrong: Option<String>,
    account: AccountId,
    fault: Option<Fault>,
    writes: usize,
}

impl World {
    pub fn new(seed: u64, fault: Option<Fault>) -> Self {
        let mut rng = Rng::new(!seed);
        let account = AccountId([7; 32]);
        let keys = DeviceKeys::make(&mut rng).unwrap();
        let state = Raw(b"sealed state".to_vec());
        let parts = (&b"shared"[..], state);
        let device = Device::found(keys.clone(), account, parts, &mut rng).unwrap();
        let mut world = Self {
            nodes: Vec::new(),
            relay: Relay::new(),
            rng,
            known_removed: BTreeMap::new(),
            forged: BTreeMap::new(),
            removals: BTreeMap::new(),
            again: BTreeMap::new(),
            needs: BTreeMap::new(),
            names: BTreeMap::new(),
            wrong: None,
            account,
            fault,
            writes: 0,
        };
        world.add_node(keys, device);
        world
    }

    fn add_node(&mut self, keys: DeviceKeys, mut device: Device) {
        if let Some(fault) = self.fault {
            device.put_in(fault);
        }
        self.nodes.push(Node {
            keys,
            disk: device.clone(),
            ram: device,
            copy: None,
            saved: BTreeSet::new(),
            asked: Vec::new(),
            clock: 56 * YEAR,
            list: 0,
            withheld: 0,
        });
    }

    /// A device with another one's keys that has read nothing.
    pub fn blank(&self, of: usize) -> Device {
        let root = self.nodes[0].ram.heads().root();
        let mut device = Device::joining(self.nodes[of].keys.clone(), self.account, root);
        if let Some(fault) = self.fault {
            device.put_in(fault);
        }
        device
    }

    pub fn run(&mut self, step: Step) {
        let count = self.nodes.len();
        match step {
            Step::Write(at, what) => self.write(at % count, what, false),
            Step::WriteAndDie(at, what) => self.write(at % count, what, true),
            Step::Sync(at, budget) => self.sync(at % count, budget),
            Step::SyncAndDie(at, budget) => {
                let disk = self.nodes[at % count].disk.clone();
                self.sync(at % count, budget);
                let node = &mut self.nodes[at % count];
                node.disk = disk.clone();
                node.ram = disk;
            }
            Step::Add(at, role) => self.add(at % count, role),
            Step::Remove(at, target) => {
                let target = self.nodes[target % count].ram.id();
                let node = &mut self.nodes[at % count];
                if node.ram.id() != target {
                    node.asked.push(HeadChange::Remove(target));
                }
            }
            Step::Copy(at) => {
                let node = &mut self.nodes[at % count];
                node.copy = Some(node.disk.clone());
            }
            Step::PutBack(at) => self.put_back(at % count),
            Step::Clock(at, years) => self.nodes[at % count].clock = years as u64 * YEAR,
            Step::Forget(records) => self.relay.forget(records),
            Step::Branch(at, without) => self.nodes[at % count].list = self.relay.branch(without),
            Step::Unbranch(at) => self.nodes[at % count].list = 0,
            Step::Withhold(at, records) => self.nodes[at % count].withheld = records,
            Step::Shuffle(at, records) => self.shuffle(at % count, records),
            Step::Forge(at, what) => {
                let node = &self.nodes[at % count];
                let token = change_of(what * 3, self.writes, Thing::Token);
                // Some are hidden beside what a limited device may write.
                let line = change_of(what, self.writes, Thing::Line);
                let hidden = if what % 2 == 1 {
                    vec![line]
                } else {
                    Vec::new()
                };
                let mut changes = vec![token];
                changes.extend(hidden);
                if may_forge(&node.ram)
                    && let Some(record) = node.ram.forge(changes, &mut self.rng)
                {
                    self.give_out(at % count, &record);
                }
            }
            Step::ForgeHead(at) => {
                let node = &self.nodes[at % count];
                if may_forge(&node.ram)
                    && let Some(record) = node.ram.forge_head(&mut self.rng)
                {
                    self.give_out(at % count, &record);
                }
            }
            Step::Damage(at, what) => {
                let all: Vec<_> = self.relay.all().cloned().collect();
                let Some(record) = all.get(what % all.len().max(1)) else {
                    return;
                };
                let mut damaged = record.to_vec();
                let place = self.rng.below(damaged.len());
                damaged[place] ^= 1 << (what % 8);
                let list = self.nodes[at % count].list;
                let _ = self
                    .relay
                    .append(list, &damaged.into(), self.heads(at % count));
            }
        }
    }

    fn heads(&self, at: usize) -> u64 {
        self.nodes[at].ram.relay.heads()
    }

    /// Gives a record that breaks the rules to all devices.
    fn give_out(&mut self, at: usize, record: &[u8]) {
        let device = &self.nodes[at].ram;
        let heads = device.heads().valid();
        let by = heads.filter(|(_, head)| head.devices.removed(device.id()).is_some());
        let forged = Forged {
            author: device.id(),
            by: by.map(|(id, _)| id).collect(),
        };
        self.forged.insert(record::id_of(record), forged);
        let record: Record = record.into();
        let heads = self.heads(at);
        let list = self.nodes[at].list;
        let _ = self.relay.append(list, &record, heads);
        for node in &mut self.nodes {
            let _ = node.ram.receive(&record);
            node.ram.settle().unwrap();
            node.disk = node.ram.clone();
        }
    }

    fn write(&mut self, at: usize, what: usize, is_killed: bool) {
        self.writes += 1;
        let node = &mut self.nodes[at];
        let things = match node.ram.devices().and_then(|all| all.role(node.ram.id())) {
            Some(Role::Limited) => &[Thing::Line, Thing::Payment][..],
            _ => &[
                Thing::Token,
                Thing::Contact,
                Thing::Revocation,
                Thing::Label,
                Thing::Line,
            ][..],
        };
        // A person changes several things before their device writes them, sometimes one of them twice.
        let count = [1, 1, 2, 5][what / 3 % 4];
        let changes = (what..what + count).map(|what| {
            let thing = things[what % things.len()];
            change_of(what, self.writes, thing)
        });
        let written = node
            .ram
            .write_all(changes.collect(), node.clock, &mut self.rng);
        let written = match written {
            Ok(written) => written,
            Err(SyncError::NotMember | SyncError::HeadsDiffer | SyncError::NoEpochKey) => return,
            Err(error) => panic!("write: {error:?}"),
        };
        if !written.refused.is_empty() || written.ids.is_empty() {
            self.wrong = Some(format!("Device {at} refused {:?}.", written.refused));
        }
        if is_killed {
            node.ram = node.disk.clone();
            return;
        }
        node.disk = node.ram.clone();
        node.saved.extend(&written.ids);
        for id in written.ids {
            self.note(at, id);
        }
    }

    /// Notes what an operation names, and which removals its author knew of.
    fn note(&mut self, at: usize, id: RecordId) {
        let device = &self.nodes[at].ram;
        let operation = &device.logs().get(id).unwrap().operation;
        let needs = operation.prev.iter().copied().chain([operation.head]);
        self.needs.insert(id, needs.collect());
        self.names.insert(id, operation.names());
        let mut removed = Vec::new();
        for (head_id, head) in device.heads().valid() {
            removed.extend(head.devices.removed.iter().map(|one| (one.id, head_id)));
        }
        self.known_removed.insert(id, removed);
    }

    /// An operation, and what it was written again as.
    pub fn all_of(&self, id: RecordId) -> BTreeSet<RecordId> {
        let mut open = vec![id];
        let mut all = BTreeSet::new();
        while let Some(id) = open.pop() {
            if all.insert(id) {
                open.extend(self.again.get(&id).into_iter().flatten());
            }
        }
        all
    }

    /// Writes again what was left out, as a device does after reading.
    fn write_again(&mut self, at: usize) {
        let node = &mut self.nodes[at];
        let written = match node.ram.write_again(&mut self.rng) {
            Ok(written) => written,
            Err(SyncError::HeadsDiffer | SyncError::NoEpochKey) => return,
            Err(error) => panic!("write_again: {error:?}"),
        };
        if node.ram.has_to_write_again() {
            self.wrong = Some(format!("Device {at} has not written all of it again."));
        }
        node.disk = node.ram.clone();
        for (old, new) in written {
            self.again.entry(old).or_default().push(new);
            self.note(at, new);
        }
    }

    fn add(&mut self, at: usize, role: usize) {
        if self.nodes.len() >= MOST_DEVICES {
            return;
        }
        let keys = DeviceKeys::make(&mut self.rng).unwrap();
        let member = Member {
            id: keys.id(),
            sealing: keys.sealing(),
            role: if role == 0 { Role::Limited } else { Role::Full },
        };
        self.nodes[at].asked.push(HeadChange::Add(member));
        let root = self.nodes[0].ram.heads().root();
        let device = Device::joining(keys.clone(), self.account, root);
        self.add_node(keys, device);
    }

    /// What is on no disk any more, or needs something that is on none, is lost with the storage that was replaced. The engine can't help
    /// that: [`World::send`] checks that it has sent everything that a record needs before the record.
    fn put_back(&mut self, at: usize) {
        let node = &mut self.nodes[at];
        let Some(copy) = node.copy.clone() else {
            return;
        };
        node.disk = copy.clone();
        node.ram = copy;
        let saved = self.nodes.iter().map(|node| {
            let saved = node.saved.iter().filter(|id| self.is_whole(**id));
            saved.copied().collect()
        });
        let saved: Vec<BTreeSet<_>> = saved.collect();
        for (node, saved) in self.nodes.iter_mut().zip(saved) {
            node.saved = saved;
        }
    }

    /// Whether a record and everything that it needs are on disks.
    fn is_whole(&self, id: RecordId) -> bool {
        let mut open = vec![id];
        let mut seen = BTreeSet::new();
        while let Some(id) = open.pop() {
            if !self.nodes.iter().any(|node| node.disk.has(id)) {
                return false;
            }
            if seen.insert(id) {
                open.extend(self.needs.get(&id).into_iter().flatten());
            }
        }
        true
    }

    fn shuffle(&mut self, at: usize, count: usize) {
        let all: Vec<_> = self.relay.all().cloned().collect();
        let node = &mut self.nodes[at];
        for _ in 0..count {
            if let Some(record) = all.get(self.rng.below(all.len())) {
                let _ = node.ram.receive(record);
                if self.rng.below(2) == 0 {
                    node.ram.settle().unwrap();
                }
            }
        }
        node.ram.settle().unwrap();
        node.disk = node.ram.clone();
    }

    /// Reads, stores, sends, and changes the head, as a device does.
    pub fn sync(&mut self, at: usize, budget: usize) {
        self.read(at, budget);
        self.write_again(at);
        let has_sent_all = self.send(at, budget);
        // A removal names what was read of a log: that is sent first.
        if !has_sent_all {
            return;
        }
        if let Some(record) = self.head_of(at) {
            let node = &self.nodes[at];
            let _: Appended = self
                .relay
                .append(node.list, &record, node.ram.relay.heads());
            self.read(at, budget);
        }
    }

    /// Sends so many records, in their order, up to the first one that the relay refuses. Whether that was all.
    fn send(&mut self, at: usize, budget: usize) -> bool {
        let node = &self.nodes[at];
        let (list, mut heads) = (node.list, node.ram.relay.heads());
        let to_send = node.ram.to_send();
        let mut sent: BTreeSet<_> = self.relay.ids(list).collect();
        for (id, record) in to_send.iter().take(budget) {
            let names = self.names.get(id).into_iter().flatten();
            let mut unsent = names.filter(|name| node.ram.reads(**name) && !sent.contains(*name));
            if let Some(name) = unsent.next() {
                self.wrong = Some(format!("Device {at} sends {id:?} before {name:?}."));
            }
            sent.insert(*id);
            match self.relay.append(list, record, heads) {
                Appended::Stored => heads += u64::from(node.ram.heads().get(*id).is_some()),
                Appended::Known => {}
                Appended::Conflict => return false,
            }
        }
        to_send.len() <= budget
    }

    fn read(&mut self, at: usize, budget: usize) {
        let node = &mut self.nodes[at];
        let list = self.relay.list(node.list);
        let list = &list[..list.len().saturating_sub(node.withheld)];
        for _ in 0..budget {
            let from = usize::try_from(node.ram.relay.next()).unwrap() - 1;
            let page: Vec<&[u8]> = list
                .iter()
                .skip(from)
                .take(PAGE)
                .map(|one| &one[..])
                .collect();
            let page = node.ram.take_page(Relay::digest(list, from), &page);
            if page.unwrap() == Page::GoesOn(0) {
                break;
            }
        }
        node.ram.settle().unwrap();
        node.disk = node.ram.clone();
    }

    /// The head change that a device has to make, if any.
    fn head_of(&mut self, at: usize) -> Option<Record> {
        let node = &mut self.nodes[at];
        let devices = node.ram.devices()?.clone();
        node.asked.retain(|change| match change {
            HeadChange::Add(member) => devices.role(member.id).is_none(),
            HeadChange::Remove(id) => devices.removed(*id).is_none(),
            HeadChange::Join => false,
        });
        let change = if node.ram.has_to_join() {
            HeadChange::Join
        } else {
            let is_possible = |change: &&HeadChange| match change {
                HeadChange::Remove(id) => devices.member(*id).is_some(),
                _ => true,
            };
            *node.asked.iter().find(is_possible)?
        };
        let head = node.ram.propose(change, (None, None), &mut self.rng).ok()?;
        let heads = node.ram.heads().valid().map(|(id, _)| id).collect();
        let id = record::id_of(&head);
        let read = Head::read(&record::parts(&head).unwrap()).unwrap();
        self.names.insert(id, read.names());
        self.needs.insert(id, read.prev.into_iter().collect());
        if let HeadChange::Remove(of) = change {
            let cut = node.ram.logs().ends(of);
            self.removals.insert(id, Removal { of, cut, heads });
        }
        Some(Arc::from(head))
    }

    /// From now on the relay is honest, and no device is killed. Goes on until nothing changes any more.
    ///
    /// # Errors
    /// Where that does not happen.
    pub fn heal(&mut self) -> Result<(), &'static str> {
        for node in &mut self.nodes {
            (node.list, node.withheld) = (0, 0);
        }
        let mut before = vec![];
        for _ in 0..60 {
            for at in 0..self.nodes.len() {
                self.sync(at, 1_000);
            }
            let now = self.relay.list(0).to_vec();
            if now == before {
                return Ok(());
            }
            before = now;
        }
        Err("It does not settle.")
    }
}

/// Whether what it forges breaks the rules.
fn may_forge(device: &Device) -> bool {
    let role = device
        .devices()
        .map(|all| (all.member(device.id()), all.removed(device.id())));
    match role {
        Some((Some(member), _)) => member.role == Role::Limited,
        Some((_, removed)) => removed.is_some(),
        None => false,
    }
}

fn change_of(what: usize, number: usize, thing: Thing) -> Change {
    let value = Raw(format!("value {number}").into_bytes());
    let is_deletion = what % 7 == 6 && !thing.is_permanent();
    Change {
        thing,
        id: format!("{}", what / 8 % 3),
        value: (!is_deletion).then_some(value),
    }
}
