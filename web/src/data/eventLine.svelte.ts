// The line of one event: the server names a revision whenever something in the event has changed.
import type { EventChanged } from "$generated/wire";
import { ReconnectingSocket, type Link } from "./reconnectingSocket";

export class EventLine {
  /** The newest revision that the server has named. */
  revision = $state(0);
  link = $state<Link>("connecting");
  private readonly socket: ReconnectingSocket;

  /** `changed` is called with each revision, also with the same one after the line was lost. */
  constructor(event: string, changed: (revision: number) => void) {
    this.socket = new ReconnectingSocket({
      path: `/ws/events/${encodeURIComponent(event)}`,
      receive: (text) => {
        this.socket.works();
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
