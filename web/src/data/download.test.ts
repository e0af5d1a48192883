import { afterEach, expect, test, vi } from "vitest";
import { download, fileName } from "./download";

afterEach(() => vi.unstubAllGlobals());

test("a refusal carries the server's message", async () => {
  const refusal = { error: { code: "record_as_recorded", message: "This game follows no rules.", field: "" } };
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify(refusal), { status: 400 }));
  await expect(download("/api/games/x/record?format=mjai")).rejects.toMatchObject({
    code: "record_as_recorded",
    message: "This game follows no rules.",
    status: 400,
  });
});

test("the field's path is removed from the message", async () => {
  const refusal = {
    error: {
      code: "bad_request",
      message: "scores.0: this is above the maximum (10). Correct it.",
      field: "scores.0",
    },
  };
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify(refusal), { status: 422 }));
  await expect(download("/api/games/x/record")).rejects.toMatchObject({
    message: "This is above the maximum (10). Correct it.",
    field: "scores.0",
  });
});

test("an unreachable server is reported", async () => {
  vi.stubGlobal("fetch", async () => Promise.reject(new TypeError("offline")));
  await expect(download("/api/games/x/record")).rejects.toMatchObject({ code: "offline" });
});

test("a file name may contain any letters", () => {
  expect(
    fileName("attachment; filename=\"jantaku-x.csv\"; filename*=UTF-8''%EC%97%AC%EB%A6%84%20%EB%A6%AC%EA%B7%B8.csv"),
  ).toBe("여름 리그.csv");
  expect(fileName('attachment; filename="jantaku-x.csv"')).toBe("jantaku-x.csv");
  expect(fileName("")).toBe("jantaku");
});
