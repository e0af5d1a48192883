// Friend requests and invitations to tables.
import type { FriendsPage } from "$generated/wire";
import { t } from "$domain/words.svelte";
import { send } from "./requests";
import { showError } from "./notices.svelte";
import type { Prompt } from "$domain/prompts";
import type { Friends } from "./friends.svelte";

/** Return the pending invitations and friend requests as prompts. */
export function requestPrompts(friends: Friends | null): Prompt[] {
  const page = friends?.page;
  if (!friends || !page) return [];
  const show = (next: Promise<FriendsPage>): void => void next.then((page) => (friends.page = page), showError);
  const answer = (person_id: string, tie: "friend" | "declined"): void =>
    show(send("PUT /api/friends/{person_id}", { path: { person_id }, body: { tie } }));
  return [
    ...page.invitations.map(({ name, table, called }) => ({
      id: `invitation ${table}`,
      label: t("friends.to_table"),
      text: t("friends.invited", { name, table: called }),
      answers: [
        { label: t("friends.to_table"), primary: true, href: `/t/${table}` },
        {
          label: t("friends.decline"),
          act: () => show(send("DELETE /api/friends/invitations/{table_id}", { path: { table_id: table } })),
        },
      ],
    })),
    ...page.asked.map(({ person, name }) => ({
      id: `friend ${person}`,
      label: t("friends.title"),
      text: t("friends.asks", { name }),
      answers: [
        { label: t("friends.agree"), primary: true, act: () => answer(person, "friend") },
        { label: t("friends.decline"), act: () => answer(person, "declined") },
      ],
    })),
  ];
}
