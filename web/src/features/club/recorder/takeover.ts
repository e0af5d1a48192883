import { begun } from "$domain/starting";
import type { Taken } from "./queue";
import type { Store } from "./offlineStore";

/** Put it into the queue of this phone. What waits here already is not added again, so doing it twice changes nothing. */
export async function takeOver(store: Store, taken: Taken): Promise<void> {
  const [starting, waiting] = [await store.starting(), await store.waiting()];
  for (const start of taken.starting) {
    if (starting.some(({ body }) => body.id === start.body.id)) continue;
    await store.keepStarting(start);
    const event = await store.event(start.event);
    if (event && !(await store.game(start.body.id)))
      await store.keepGame({
        id: start.body.id,
        event: start.event,
        info: begun(start.body, event.entries, event.table),
      });
  }
  const had = new Set(waiting.map(({ body }) => body.id));
  for (const queued of taken.waiting) {
    if (had.has(queued.body.id)) continue;
    had.add(queued.body.id);
    await store.add(queued);
  }
}
