// What a phone keeps of the games that it records: in IndexedDB, so that it survives a reload and works without a network.
import { openDB, type DBSchema, type IDBPDatabase } from "idb";
import type { EventEntry, EventInfo, PaymentsInfo, RecordedGameInfo } from "$generated/wire";
import type { Draft } from "./handDraft";
import type { Starting, Waiting } from "./queue";

export interface KeptEvent {
  id: string;
  info: EventInfo;
  entries: EventEntry[];
  table: PaymentsInfo;
}

export interface KeptGame {
  id: string;
  event: string;
  info: RecordedGameInfo;
}

interface Schema extends DBSchema {
  events: { key: string; value: KeptEvent };
  games: { key: string; value: KeptGame; indexes: { event: string } };
  drafts: { key: string; value: Draft };
  starting: { key: string; value: Starting };
  waiting: { key: number; value: Waiting; indexes: { game: string } };
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

  async gamesOf(event: string): Promise<KeptGame[]> {
    return (await this.db).getAllFromIndex("games", "event", event);
  }

  async starting(): Promise<Starting[]> {
    return (await this.db).getAll("starting");
  }

  async waiting(game?: string): Promise<Waiting[]> {
    const db = await this.db;
    const rows = await (game === undefined ? db.getAll("waiting") : db.getAllFromIndex("waiting", "game", game));
    return rows.sort((one, other) => one.order - other.order);
  }

  /** Put an entry at the end. A hand that was a draft stops being one in the same moment. */
  async add(waiting: Omit<Waiting, "order">, drafted = false): Promise<void> {
    const write = (await this.db).transaction(["waiting", "drafts"], "readwrite");
    const added = write.objectStore("waiting").add(waiting as Waiting);
    await Promise.all([added, drafted ? write.objectStore("drafts").delete(waiting.game) : null, write.done]);
  }

  async replace(game: string, waiting: readonly Waiting[]): Promise<void> {
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

/** Ask the browser not to clear what it keeps; whether it promised. */
export async function persisted(): Promise<boolean> {
  const storage = navigator.storage as StorageManager | undefined; // absent over plain http
  if (!storage?.persist) return false;
  return (await storage.persisted()) || storage.persist();
}
