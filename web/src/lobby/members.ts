// What the lobby shows to who is signed in. The first page of a stranger does without it.
export { default as QuickPlay } from "./QuickPlay.svelte";
export { default as FriendNews } from "../people/FriendNews.svelte";
export { Friends } from "../people/friends.svelte";
