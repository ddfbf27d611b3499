import { choice } from "./field.ts";

const options = [
  { value: "yes", label: "Yes" },
  { value: "no", label: "No" },
] as const;

type Rest = Parameters<typeof choice<"yes" | "no", { readonly label: string }>>[1];

/** A choice that must be able to say no as well, as where something is edited. */
export const yesOrNo = <const O extends Rest>(rest: O) => choice(options, rest);
