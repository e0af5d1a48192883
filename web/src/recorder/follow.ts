// Tells when something in an event has changed.
import type { EventChanged } from "../generated/wire";
import { ReconnectingSocket } from "../net/reconnecting";

/** Call `changed` after each change of the event; returns how to stop. */
export function follow(event: string, changed: () => void): () => void {
  let known = -1;
  const line = new ReconnectingSocket({
    path: `/ws/events/${encodeURIComponent(event)}`,
    receive: (text) => {
      line.works();
      const { revision } = JSON.parse(text) as EventChanged;
      if (revision !== known) changed();
      known = revision;
    },
    changed: () => undefined,
  });
  line.open();
  return () => line.close();
}
