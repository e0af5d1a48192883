// Recorded games in IndexedDB, so that they survive a reload and can be recorded offline.
import { openDB, type DBSchema, type IDBPDatabase } from "idb";
import type { EventEntry, EventInfo, PaymentsInfo, RecordedGameInfo } from "$generated/wire";
import type { Draft } from "./handDraft";
import type { QueuedStart, QueuedHand } from "./queue";

export interface StoredEvent {
  id: string;
  info: EventInfo;
  entries: EventEntry[];
  table: PaymentsInfo;
}

export interface StoredGame {
  id: string;
  event: string;
  info: RecordedGameInfo;
}

interface Schema extends DBSchema {
  events: { key: string; value: StoredEvent };
  games: { key: string; value: StoredGame; indexes: { event: string } };
  drafts: { key: string; value: Draft };
  starting: { key: string; value: QueuedStart };
  waiting: { key: number; value: QueuedHand; indexes: { game: string } };
}

export class Store {
  private readonly db: Promise<IDBPDatabase<Schema>>;

  constructor(name = "jantaku-recorder") {
    this.db = openDB<Schema>(name, 1, {
      upgrade(db) {
        db.createObjectStore("events", { keyPath: "id" });
        db.createObjectStore("games", { keyPath: "id" }).createIndex("event", "event");
        db.createObjectStore("drafts");
        db.createObjectStore("starting", { keyPath: "body.id" });
        db.createObjectStore("waiting", { keyPath: "order", autoIncrement: true }).createIndex("game", "game");
      },
    });
  }

  readonly get: IDBPDatabase<Schema>["get"] = async (table, key) => (await this.db).get(table, key);
  readonly put: IDBPDatabase<Schema>["put"] = async (table, value, key) => (await this.db).put(table, value, key);
  readonly delete: IDBPDatabase<Schema>["delete"] = async (table, key) => (await this.db).delete(table, key);

  async gamesOf(event: string): Promise<StoredGame[]> {
    return (await this.db).getAllFromIndex("games", "event", event);
  }

  async starting(): Promise<QueuedStart[]> {
    return (await this.db).getAll("starting");
  }

  async waiting(game?: string): Promise<QueuedHand[]> {
    const db = await this.db;
    const rows = await (game === undefined ? db.getAll("waiting") : db.getAllFromIndex("waiting", "game", game));
    return rows.sort((one, other) => one.order - other.order);
  }

  /** Append an entry. If it was `drafted`, delete the draft in the same transaction. */
  async add(waiting: Omit<QueuedHand, "order">, drafted = false): Promise<void> {
    const write = (await this.db).transaction(["waiting", "drafts"], "readwrite");
    const added = write.objectStore("waiting").add(waiting as QueuedHand);
    await Promise.all([added, drafted ? write.objectStore("drafts").delete(waiting.game) : null, write.done]);
  }

  async replace(game: string, waiting: readonly QueuedHand[]): Promise<void> {
    const write = (await this.db).transaction("waiting", "readwrite");
    const old = await write.store.index("game").getAllKeys(game);
    await Promise.all(old.map((order) => write.store.delete(order)));
    await Promise.all(waiting.map((queued) => write.store.put(queued)));
    await write.done;
  }

  async close(): Promise<void> {
    (await this.db).close();
  }
}

/** Request persistent storage; return whether the browser granted it. */
export async function persisted(): Promise<boolean> {
  const storage = navigator.storage as StorageManager | undefined; // absent over plain http
  if (!storage?.persist) return false;
  return (await storage.persisted()) || storage.persist();
}
