import { afterEach, expect, test, vi } from "vitest";
import { download } from "./download";

afterEach(() => vi.unstubAllGlobals());

test("what the server refuses is said in its own words", async () => {
  const refusal = { error: { code: "record_as_recorded", message: "This game follows no rules.", field: "" } };
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify(refusal), { status: 400 }));
  await expect(download("/api/games/x/record?format=mjai")).rejects.toMatchObject({
    code: "record_as_recorded",
    message: "This game follows no rules.",
    status: 400,
  });
});

test("a server that is away is said, too", async () => {
  vi.stubGlobal("fetch", async () => Promise.reject(new TypeError("offline")));
  await expect(download("/api/games/x/record")).rejects.toMatchObject({ code: "offline" });
});
