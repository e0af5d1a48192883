// TypeScript takes a variable that has more fields than a type asks for; the server refuses such a body.

type Member<Want, Given> = Given extends { type: infer Type } ? NeverOr<Extract<Want, { type: Type }>, Want> : Want;
type NeverOr<Found, Else> = [Found] extends [never] ? Else : Found;
type KeyOf<Want> = Want extends unknown ? keyof Want : never;
type At<Want, Key> = Want extends unknown ? (Key extends keyof Want ? Want[Key] : never) : never;
type Fields<Given, Want> = {
  [Key in keyof Given]: Key extends KeyOf<Want> ? Exact<Given[Key], At<Want, Key>> : never;
};

/** `Given` if all its fields, at any depth, exist in `Want`; otherwise a type that nothing fits. */
export type Exact<Given, Want> = unknown extends Want
  ? Given
  : Given extends readonly unknown[]
    ? Given
    : Given extends object
      ? Fields<Given, Member<Want, Given>>
      : Given;
