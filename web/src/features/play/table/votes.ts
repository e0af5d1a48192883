// The open votes at a table and requests for the player's seat, as prompts.
import type { Key } from "$generated/keys";
import type { SeatInfo, TableInfo } from "$generated/wire";
import { listed, t } from "$domain/words.svelte";
import type { Prompt } from "$domain/prompts";

type Wish = "wants_abort" | "wants_rematch" | "shows_hand";
type Voter = Pick<SeatInfo, "name" | "person" | "bot" | "gone" | Wish>;

interface Proposal {
  players: string[];
  agreed: number;
  people: number;
  mine: boolean;
}

/** The proposal behind a wish; null without supporters, for spectators, or if `me` is the only person. */
export function proposalOf(seats: readonly (Voter | null)[], me: number | null, wish: Wish): Proposal | null {
  const own = me === null ? null : seats[me];
  // players who have left only decide whether their hand is shown
  const people = seats.filter(
    (info) => info !== null && info.person !== null && info.bot === null && (wish === "shows_hand" || !info.gone),
  );
  const agreeing = people.filter((info) => info?.[wish]);
  if (!own || people.length < 2 || !agreeing.length) return null;
  const players = agreeing.flatMap((info) => (info ? [info.name] : []));
  return { players, agreed: agreeing.length, people: people.length, mine: own[wish] ?? false };
}

const VOTES = [
  { kind: "abort", wish: "wants_abort", label: "menu.abort", open: ["playing"] },
  { kind: "rematch", wish: "wants_rematch", label: "result.rematch", open: ["finished", "aborted"] },
  { kind: "hands", wish: "shows_hand", label: "watch.hands", open: ["waiting", "playing"] },
] as const satisfies { kind: string; wish: Wish; label: Key; open: TableInfo["status"][] }[];
export type VoteKind = (typeof VOTES)[number]["kind"];
type Vote = (typeof VOTES)[number] & { proposal: Proposal | null };

/** The votes possible at the table, each with its proposal if there is one. */
export function votesAt(table: TableInfo | null, me: number | null): Vote[] {
  if (!table || me === null) return [];
  const hands = table.options.spectators && !table.event;
  return VOTES.filter(
    ({ kind, open }) => open.some((status) => status === table.status) && (kind !== "hands" || hands),
  ).map((vote) => ({ ...vote, proposal: proposalOf(table.seats, me, vote.wish) }));
}

/** Prompts for open votes: an answer if it is missing, otherwise the count and a way to withdraw. */
export function votePrompts(votes: readonly Vote[], vote: (kind: VoteKind, agree: boolean) => void): Prompt[] {
  return votes.flatMap(({ kind, label, proposal }) => {
    if (!proposal || proposal.agreed === proposal.people) return [];
    const { players, agreed, people, mine } = proposal;
    return {
      id: kind,
      label: t(label),
      text: t(`vote.${kind}`, { players: listed(players), agreed, people }),
      answers: mine
        ? [{ label: t("menu.abort_withdraw"), act: () => vote(kind, false) }]
        : [
            { label: t("vote.agree"), primary: true, act: () => vote(kind, true) },
            { label: t("vote.decline"), act: () => vote(kind, false) },
          ],
    };
  });
}

/** Prompts for players who want to swap seats before the game. */
export function swapPrompts(
  table: TableInfo | null,
  me: number | null,
  swap: (seat: number, agree: boolean) => void,
): Prompt[] {
  if (me === null || table?.status !== "waiting") return [];
  return table.seats.flatMap((info, seat) => {
    if (!info || info.wants_seat !== me || seat === me) return [];
    return {
      id: `swap ${seat}`,
      label: t("room.swap"),
      text: t("room.swap_wanted", { name: info.name }),
      answers: [
        { label: t("room.swap"), primary: true, act: () => swap(seat, true) },
        { label: t("vote.decline"), act: () => swap(seat, false) },
      ],
    };
  });
}
