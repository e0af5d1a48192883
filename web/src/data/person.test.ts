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
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
    removeItem: (name: string) => kept.delete(name),
  });
});

test("a late answer does not sign out whoever has entered meanwhile", async () => {
  const { enter, loadPerson, person, stranger } = await import("./person.svelte");
  const met = loadPerson();
  expect(stranger()).toBe(true);
  await enter("Mina");
  answers.me({ person: null });
  expect(await met).toEqual(guest);
  expect(person()).toEqual(guest);
  expect(localStorage.getItem("jantaku.met")).toBe("1");
});

test("else the answer says who is signed in", async () => {
  const { loadPerson, person } = await import("./person.svelte");
  const met = loadPerson();
  answers.me({ person: guest });
  expect(await met).toEqual(guest);
  expect(person()).toEqual(guest);
});
