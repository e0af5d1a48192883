// Tells when something in an event has changed.
import type { EventChanged } from "../generated/wire";

const AGAIN_MS = 5000;

/** Call `changed` after each change of the event; returns how to stop. A lost line is opened again. */
export function follow(event: string, changed: () => void): () => void {
  let socket: WebSocket | null = null;
  let timer: number | undefined;
  let stopped = false;
  let known = -1;
  const open = (): void => {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    socket = new WebSocket(`${scheme}://${location.host}/ws/events/${encodeURIComponent(event)}`);
    socket.addEventListener("message", ({ data }) => {
      const { revision } = JSON.parse(String(data)) as EventChanged;
      if (revision !== known) changed();
      known = revision;
    });
    socket.addEventListener("close", () => {
      if (!stopped) timer = window.setTimeout(open, AGAIN_MS);
    });
  };
  open();
  return () => {
    stopped = true;
    window.clearTimeout(timer);
    socket?.close(1000);
  };
}
