import { asked, change, type Frame, oneOf, question, running } from "./frame.ts";

/** Of whom and by whom, as one value. */
const by =
  (verb: string): Frame["say"] =>
  ({ person }) =>
    person.includes(" and ") ? `${verb} "${person.replaceAll(" and ", " ")}"` : `${verb} ${person}`;

/** In the thread of a request that waits. */
export const onRequests: readonly Frame[] = [
  change("approve", "approve", " | request wait go okay mfa reset account | who", { on: "request", reasons: "plain" }),
  change("okay", "approve", " | go", { on: "request", isGuess: true }),
  change("deny", "deny", " | request wait okay mfa reset | withdraw approve", { on: "request", reasons: "any" }),
  change(
    "withdraw|end|undo|anymore|release",
    "withdraw",
    " | request wait need release anymore mine okay go mfa reset done | approve deny",
    { on: "request", reasons: "any", hasNoReason: true },
  ),
  question(
    oneOf(`${asked} approve wait request run next change end`),
    "status",
    `person? | ${asked} ${running} approve wait request need mfa change end done unlock phone account mine before`,
    { on: "request" },
  ),
];

/** Elsewhere. Each shows the requests that may be meant, with their buttons. */
export const requests: readonly Frame[] = [
  change("approve", by("approve"), `person? | request wait mfa reset | ${asked} wait`, {
    isOrder: true,
    isShown: true,
  }),
  change("deny", by("deny"), `person? | request wait mfa reset | ${asked}`, {
    isOrder: true,
    reasons: "any",
    isShown: true,
  }),
  change(
    "withdraw|end request",
    by("withdraw"),
    "person? | mine wait reset end withdraw mfa phone anymore need before what",
    { reasons: "any", isShown: true, hasNoReason: true },
  ),
  change("withdraw", by("withdraw"), "person? | request mfa reset mine phone need go before what", {
    reasons: "any",
    isShown: true,
    hasNoReason: true,
  }),
];
