// The parts of the lobby for signed-in visitors, loaded separately to keep the first page small.
export { default as FriendNews } from "$ui/FriendNews.svelte";
export { default as WantedRulesSelect } from "$ui/WantedRulesSelect.svelte";
export { Friends } from "$data/friends.svelte";
export { WantedRules } from "$data/wantedRules.svelte";
export { default as Places } from "./Places.svelte";
export { default as OpenTables } from "./OpenTables.svelte";
