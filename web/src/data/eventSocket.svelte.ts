// The socket of one event: the server sends a revision whenever the event changes.
import type { EventChanged } from "$generated/wire";
import { ReconnectingSocket, type Link } from "./reconnectingSocket";

export class EventSocket {
  /** The newest revision that the server has announced. */
  revision = $state(0);
  link = $state<Link>("connecting");
  private readonly socket: ReconnectingSocket;

  /** `changed` is called with each revision, and again with the same one after a reconnection. */
  constructor(event: string, changed: (revision: number) => void) {
    this.socket = new ReconnectingSocket({
      path: `/ws/events/${encodeURIComponent(event)}`,
      receive: (text) => {
        this.socket.markOpen();
        const { revision } = JSON.parse(text) as EventChanged;
        this.revision = Math.max(this.revision, revision);
        changed(revision);
      },
      changed: (link) => (this.link = link),
    });
  }

  open(): void {
    this.socket.open();
  }

  close(): void {
    this.socket.close();
  }
}
