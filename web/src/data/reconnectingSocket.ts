// A WebSocket that reconnects with a growing delay after each failure.
export type Link = "connecting" | "open" | "lost" | "refused" | "replaced";

interface Options {
  /** The path of the URL. */
  path: string;
  /** Called when the socket opens, to send the first message. */
  opened?: () => void;
  receive: (text: string) => void;
  changed: (link: Link, code: number) => void;
}

const FINAL = new Set([4401, 4403, 4404, 4406]);
const REPLACED = 4409;
const WAITS_MS = [300, 700, 1500, 3000, 5000];

export class ReconnectingSocket {
  private socket: WebSocket | null = null;
  private tries = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private closed = false;

  constructor(private readonly options: Options) {}

  open(): void {
    this.options.changed("connecting", 0);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}${this.options.path}`);
    this.socket = socket;
    socket.addEventListener("open", () => this.options.opened?.());
    socket.addEventListener("message", (event) => this.options.receive(String(event.data)));
    socket.addEventListener("close", (event) => socket === this.socket && this.lost(event.code));
    window.addEventListener("offline", this.renew);
    window.addEventListener("online", this.retry);
  }

  /** Replace a connection that may be dead; the browser may take minutes to notice. */
  readonly renew = (): void => {
    const old = this.socket;
    this.socket = null;
    if (!old || old.readyState > WebSocket.OPEN) return;
    old.close();
    this.lost(0);
  };

  /** Reconnect at once when the network is back. */
  private readonly retry = (): void => {
    if (this.closed || this.timer === undefined) return;
    this.tries = 0;
    this.again();
  };

  private again(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.open();
  }

  /** Report the connection as working; the next failure starts with the shortest delay again. */
  markOpen(): void {
    this.tries = 0;
    this.options.changed("open", 0);
  }

  write(text: string): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(text);
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    window.removeEventListener("offline", this.renew);
    window.removeEventListener("online", this.retry);
    this.socket?.close(1000);
  }

  private lost(code: number): void {
    if (this.closed) return;
    if (FINAL.has(code) || code === REPLACED) {
      this.options.changed(code === REPLACED ? "replaced" : "refused", code);
      return;
    }
    this.options.changed("lost", code);
    const wait = WAITS_MS[Math.min(this.tries++, WAITS_MS.length - 1)];
    this.timer = setTimeout(() => this.again(), wait);
  }
}
