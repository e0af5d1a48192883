// A hand in the bodies of requests.
import type { HandBody } from "../generated/wire";

export type EnteredJson = NonNullable<HandBody["hand"]>;
