// What the lobby shows to who is signed in. The first page of a stranger does without it.
export { default as FriendNews } from "$ui/FriendNews.svelte";
export { default as WantedRulesSelect } from "$ui/WantedRulesSelect.svelte";
export { Friends } from "$data/friends.svelte";
export { WantedRules } from "$data/wantedRules.svelte";
export { default as Places } from "./Places.svelte";
export { default as OpenTables } from "./OpenTables.svelte";
