import { expect, test } from "vitest";
import type { DeliveryInfo } from "$generated/wire";
import { FORMATS, formatOf, pollDelay } from "./webhook";

const NOW = Date.parse("2025-06-01T12:00:00Z");

function delivery(state: DeliveryInfo["state"], next: string | null): DeliveryInfo {
  return {
    number: 1,
    webhook: "first",
    kind: "test",
    at: "2025-06-01T12:00:00Z",
    state,
    tries: 0,
    status: null,
    error: "",
    next,
  };
}

test("deliveries are polled only while one is pending", () => {
  expect(pollDelay([delivery("arrived", null), delivery("failed", null)], NOW)).toBeNull();
  expect(pollDelay([delivery("waiting", "2025-06-01T11:59:00Z")], NOW)).toBe(1500);
  expect(
    pollDelay([delivery("waiting", "2025-06-01T12:00:05Z"), delivery("waiting", "2025-06-01T18:00:00Z")], NOW),
  ).toBe(6500);
  expect(pollDelay([delivery("waiting", "2025-06-01T18:00:00Z")], NOW)).toBe(60_000);
});

test.each([
  ["https://discord.com/api/webhooks/1/x", "discord"],
  ["https://ptb.discord.com/api/webhooks/1/x", "discord"],
  ["https://hooks.slack.com/services/T/B/x", "slack"],
  ["https://discord.com.example.org/hook", null],
  ["https://notdiscord.com/hook", null],
  ["hooks.slack.com", null],
])("the format of %s is %s", (url, format) => {
  expect(formatOf(url)).toBe(format);
  if (format) expect(FORMATS).toContain(format);
});
