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
use super::vault::{KeyChange, Keys, Vault};
use crate::bytes::{AccountId, DeviceId, Raw, RecordId};
use crate::change::{Change, Thing};
use crate::device::Device;
use crate::device::proposing::{HeadChange, NewParts};
use crate::device_keys::DeviceKeys;
use crate::error::SyncError;
use crate::fault::Fault;
use crate::head::{Devices, Head, Member, Role};
use crate::mend;
use crate::record::{self, Arrived};
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
    /// The account's keys, as they are stored here.
    pub vault: Vault,
    vault_copy: Vault,
    /// The changes of keys that its person asked for.
    wanted: Vec<KeyChange>,
    clock: u64,
    pub list: usize,
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

/// The states in an account's heads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum States {
    /// A relay sees them, as before heads of version 2.
    Clear,
    /// They are sealed from the first head on, or devices go over to that.
    Sealed,
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
    /// Whether heads pass on keys.
    pub has_keys: bool,
    states: States,
    /// The keys that a person was told are added, and the heads that added them.
    pub added: BTreeMap<u64, RecordId>,
    /// The keys that someone tried to delete.
    pub deleted: BTreeSet<u64>,
    last_key: u64,
    /// From now on, a device joins branches before it does what its person asked for: what was asked for may be done by that.
    is_healing: bool,
    account: AccountId,
    fault: Option<Fault>,
    writes: usize,
}

impl World {
    pub fn new(seed: u64, fault: Option<Fault>, (has_keys, states): (bool, States)) -> Self {
        let mut rng = Rng::new(!seed);
        let account = AccountId([7; 32]);
        let keys = DeviceKeys::make(&mut rng).unwrap();
        let mut state = Raw(b"sealed state".to_vec());
        if has_keys {
            let first = Member {
                id: keys.id(),
                sealing: keys.sealing(),
                role: Role::Full,
            };
            let devices = Devices {
                members: vec![first],
                removed: Vec::new(),
            };
            state = Keys::default().seal(&devices);
        }
        let parts = (&b"shared"[..], state);
        let is_sealed = states == States::Sealed && seed.is_multiple_of(2);
        let device = Device::found_as(is_sealed, keys.clone(), account, parts, &mut rng).unwrap();
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
            has_keys,
            states,
            added: BTreeMap::new(),
            deleted: BTreeSet::new(),
            last_key: 0,
            is_healing: false,
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
            vault: Vault::default(),
            vault_copy: Vault::default(),
            wanted: Vec::new(),
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
                self.sync_and_lose_vault(at % count, budget);
                let node = &mut self.nodes[at % count];
                node.disk = disk.clone();
                node.ram = disk;
            }
            Step::SyncAndDieEarly(at, budget) => self.sync_and_lose_vault(at % count, budget),
            Step::Key(at, what) => self.want_key(at % count, what),
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
                node.vault_copy = node.vault.clone();
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
        node.vault = node.vault_copy.clone();
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
        self.adopt(at);
        self.write_again(at);
        let has_sent_all = self.send(at, budget);
        // A removal names what was read of a log: that is sent first.
        if !has_sent_all {
            return;
        }
        if let Some((record, wanted)) = self.head_of(at) {
            let node = &self.nodes[at];
            let _: Appended = self
                .relay
                .append(node.list, &record, node.ram.relay.heads());
            self.read(at, budget);
            self.adopt(at);
            let id = record::id_of(&record);
            let node = &mut self.nodes[at];
            // The person is told once it is the last head, and the device has stored what it says.
            let is_last = node.ram.heads().tip().is_some_and(|(tip, _)| tip == id);
            if let Some(wanted) = wanted
                && is_last
                && node.vault.now.has(wanted)
            {
                if let KeyChange::Add(key) = wanted {
                    self.added.insert(key, id);
                }
                node.wanted.retain(|one| *one != wanted);
            }
        }
    }

    /// A device is killed before it stores the account's keys: its person was told nothing.
    fn sync_and_lose_vault(&mut self, at: usize, budget: usize) {
        let node = &self.nodes[at];
        let (vault, wanted, added) = (node.vault.clone(), node.wanted.clone(), self.added.clone());
        self.sync(at, budget);
        let node = &mut self.nodes[at];
        (node.vault, node.wanted, self.added) = (vault, wanted, added);
    }

    fn want_key(&mut self, at: usize, what: usize) {
        let node = &mut self.nodes[at];
        let deleted = node.vault.now.keys.iter().nth(what % 8).copied();
        let change = match deleted.filter(|_| what.is_multiple_of(5)) {
            Some(key) => KeyChange::Delete(key),
            None => {
                self.last_key += 1;
                KeyChange::Add(self.last_key)
            }
        };
        node.wanted.push(change);
    }

    /// The heads that a device can't read what is shared in.
    pub fn unread(&self, at: usize) -> BTreeSet<RecordId> {
        let device = &self.nodes[at].ram;
        if !self.has_keys {
            return BTreeSet::new();
        }
        device.unread(|part| Keys::of(part, device.id()).is_some())
    }

    /// The keys that a device has, and the last head lacks.
    fn lost_keys(&self, at: usize) -> Vec<u64> {
        let node = &self.nodes[at];
        match Keys::of_tip(&node.ram).filter(|_| self.fault != Some(Fault::KeysDropped)) {
            Some(tip) => node.vault.now.missing_in(&tip),
            None => Vec::new(),
        }
    }

    fn has_to_join(&self, at: usize) -> bool {
        let device = &self.nodes[at].ram;
        device.has_to_join(&self.unread(at))
            || self.has_keys && device.may_join() && !self.lost_keys(at).is_empty()
    }

    /// Takes the account's keys from the last head, unless that lacks some that this device has: first it appends one that has them.
    fn adopt(&mut self, at: usize) {
        let device = &self.nodes[at].ram;
        let is_full = device.devices().is_some_and(|all| all.is_full(device.id()));
        if !self.has_keys || !is_full {
            return;
        }
        // What is here must not be dropped for a head that lacks it.
        if device.may_join() && !self.lost_keys(at).is_empty() {
            return;
        }
        if let Some(tip) = Keys::of_tip(device) {
            self.nodes[at].vault.adopt(tip);
        }
    }

    /// The account's keys as this device's next head passes them on.
    fn joined_keys(&self, at: usize, change: HeadChange, wanted: Option<KeyChange>) -> Option<Raw> {
        let device = &self.nodes[at].ram;
        let (mut devices, _) =
            mend::joined_devices(device.heads(), device.id(), &BTreeSet::new()).ok()?;
        match change {
            HeadChange::Add(member) => devices.members.push(member),
            HeadChange::Remove(id) => devices.members.retain(|member| member.id != id),
            HeadChange::Join => {}
        }
        let mut keys = Keys::of_tip(device)?;
        for part in device.to_join() {
            if let Some(theirs) = Keys::of(&part, device.id()) {
                keys.join(&theirs);
            }
        }
        for key in self.lost_keys(at) {
            keys.change(KeyChange::Add(key));
        }
        if let Some(wanted) = wanted {
            keys.change(wanted);
        }
        Some(keys.seal(&devices))
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
            let page = list.iter().skip(from).take(PAGE);
            let page: Vec<_> = page.map(|one| Arrived::of(one)).collect();
            let page = node.ram.take_page(Relay::digest(list, from), &page);
            if page.unwrap() == Page::GoesOn(0) {
                break;
            }
        }
        node.ram.settle().unwrap();
        node.disk = node.ram.clone();
    }

    /// The head change that a device has to make, if any.
    fn head_of(&mut self, at: usize) -> Option<(Record, Option<KeyChange>)> {
        let has_to_join = self.has_to_join(at);
        let node = &mut self.nodes[at];
        let devices = node.ram.devices()?.clone();
        node.asked.retain(|change| match change {
            HeadChange::Add(member) => devices.role(member.id).is_none(),
            HeadChange::Remove(id) => devices.removed(*id).is_none(),
            HeadChange::Join => false,
        });
        let is_possible = |change: &&HeadChange| match change {
            HeadChange::Remove(id) => devices.member(*id).is_some(),
            _ => true,
        };
        let asked = node.asked.iter().find(is_possible).copied();
        let mut wanted = node.wanted.first().copied();
        // What a person asks for joins branches too.
        let is_asked_first = self.has_keys && self.rng.below(3) == 0 && !self.is_healing;
        let change = match asked {
            _ if has_to_join && !is_asked_first => HeadChange::Join,
            Some(change) => change,
            None if has_to_join || wanted.is_some() => HeadChange::Join,
            None => return None,
        };
        if asked == Some(change) || (has_to_join && !is_asked_first) {
            wanted = None;
        }
        let (mut parts, mut unread) = (NewParts::default(), BTreeSet::new());
        if self.has_keys {
            unread = self.unread(at);
            parts.state = Some(self.joined_keys(at, change, wanted)?);
        }
        parts.may_seal = self.states == States::Sealed && self.rng.below(4) == 0;
        if let Some(KeyChange::Delete(key)) = wanted {
            self.deleted.insert(key);
        }
        let node = &self.nodes[at];
        let rng = &mut self.rng;
        let head = node.ram.propose_all(&[change], parts, &unread, rng).ok()?;
        let heads = node.ram.heads().valid().map(|(id, _)| id).collect();
        let id = record::id_of(&head);
        let read = Head::read(&record::parts(&head).unwrap()).unwrap();
        self.names.insert(id, read.names());
        self.needs.insert(id, read.prev.into_iter().collect());
        if let HeadChange::Remove(of) = change {
            let cut = node.ram.logs().ends(of);
            self.removals.insert(id, Removal { of, cut, heads });
        }
        Some((Arc::from(head), wanted))
    }

    /// From now on the relay is honest, and no device is killed. Goes on until nothing changes any more.
    ///
    /// # Errors
    /// Where that does not happen.
    pub fn heal(&mut self) -> Result<(), &'static str> {
        self.is_healing = true;
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
