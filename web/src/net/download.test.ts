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

test("where in a request a value stood is not said", async () => {
  const refusal = { error: { code: "bad_request", message: "scores.0: this is larger than is allowed (10). Correct it.", field: "scores.0" } };
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify(refusal), { status: 422 }));
  await expect(download("/api/games/x/record")).rejects.toMatchObject({ message: "This is larger than is allowed (10). Correct it.", field: "scores.0" });
});

test("a server that is away is said, too", async () => {
  vi.stubGlobal("fetch", async () => Promise.reject(new TypeError("offline")));
  await expect(download("/api/games/x/record")).rejects.toMatchObject({ code: "offline" });
});
