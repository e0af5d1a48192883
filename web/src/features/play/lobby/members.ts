// What the lobby shows to who is signed in. The first page of a stranger does without it.
export { default as QuickPlay } from "./QuickPlay.svelte";
export { default as FriendNews } from "$ui/FriendNews.svelte";
export { Friends } from "$data/friends.svelte";
