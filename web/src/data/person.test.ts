import { beforeEach, expect, test, vi } from "vitest";
import type { Person } from "$generated/wire";

const guest = { id: "p1", name: "Mina", guest: true } as Person;
const answers: { me: (answer: { person: Person | null }) => void } = { me: () => undefined };

vi.mock("./requests", () => ({
  send: (name: string) =>
    name === "GET /api/me" ? new Promise((done) => (answers.me = done)) : Promise.resolve(guest),
}));

beforeEach(() => {
  vi.resetModules();
  const store = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => store.get(name) ?? null,
    setItem: (name: string, value: string) => store.set(name, value),
    removeItem: (name: string) => store.delete(name),
  });
});

test("a late answer does not sign out a guest who has entered in the meantime", async () => {
  const { enter, loadPerson, person, signedOut } = await import("./person.svelte");
  const personLoaded = loadPerson();
  expect(signedOut()).toBe(true);
  await enter("Mina");
  answers.me({ person: null });
  expect(await personLoaded).toEqual(guest);
  expect(person()).toEqual(guest);
  expect(localStorage.getItem("jantaku.met")).toBe("1");
});

test("the answer of the server sets the person", async () => {
  const { loadPerson, person } = await import("./person.svelte");
  const personLoaded = loadPerson();
  answers.me({ person: guest });
  expect(await personLoaded).toEqual(guest);
  expect(person()).toEqual(guest);
});
