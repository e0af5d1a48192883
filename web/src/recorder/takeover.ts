// Takes over what another phone of the table could not send.
import { begun } from "./starting";
import type { Taken } from "./queue";
import type { Store } from "./offlineStore";

/** Put it into the queue of this phone. What waits here already is not added again, so doing it twice changes nothing. */
export async function takeOver(store: Store, found: Taken): Promise<void> {
  const [starting, waiting] = [await store.starting(), await store.waiting()];
  for (const one of found.starting) {
    if (starting.some(({ body }) => body.id === one.body.id)) continue;
    await store.keepStarting(one);
    const event = await store.event(one.event);
    if (event && !(await store.game(one.body.id))) await store.keepGame({ id: one.body.id, event: one.event, info: begun(one.body, event.entries, event.table) });
  }
  const had = new Set(waiting.map(({ body }) => body.id));
  for (const one of found.waiting) {
    if (had.has(one.body.id)) continue;
    had.add(one.body.id);
    await store.add(one);
  }
}
