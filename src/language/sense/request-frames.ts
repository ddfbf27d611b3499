import { asked, change, type Frame, oneOf, question, running } from "./frame.ts";

/** Of whom and by whom, as one value. */
const by =
  (verb: string): Frame["say"] =>
  ({ person }) =>
    person.includes(" and ") ? `${verb} "${person.replaceAll(" and ", " ")}"` : `${verb} ${person}`;

/** In the thread of a request that waits. */
export const onRequests: readonly Frame[] = [
  change("approve", "approve", {
    may: "request wait go okay mfa reset account",
    not: "who",
    on: "request",
    reasons: "plain",
  }),
  change("okay", "approve", { may: "go", on: "request", isGuess: true }),
  change("deny", "deny", {
    may: "request wait okay mfa reset",
    not: "withdraw approve",
    on: "request",
    reasons: "any",
  }),
  change("withdraw|end|undo|anymore|release", "withdraw", {
    may: "request wait need release anymore mine okay go mfa reset done",
    not: "approve deny",
    on: "request",
    reasons: "any",
    hasNoReason: true,
  }),
  question(oneOf(`${asked} approve wait request run next change end`), "status", {
    may: `${asked} ${running} approve wait request need mfa change end done unlock phone account mine before`,
    on: "request",
    takes: "person",
  }),
];

/** Elsewhere. Each shows the requests that may be meant, with their buttons. */
export const requests: readonly Frame[] = [
  change("approve", by("approve"), {
    isOrder: true,
    may: "request wait mfa reset",
    not: `${asked} wait`,
    takes: "person",
    isShown: true,
  }),
  change("deny", by("deny"), {
    isOrder: true,
    may: "request wait mfa reset",
    not: asked,
    takes: "person",
    reasons: "any",
    isShown: true,
  }),
  change("withdraw|end request", by("withdraw"), {
    may: "mine wait reset end withdraw mfa phone anymore need before what",
    takes: "person",
    reasons: "any",
    isShown: true,
    hasNoReason: true,
  }),
  change("withdraw", by("withdraw"), {
    may: "request mfa reset mine phone need go before what",
    takes: "person",
    reasons: "any",
    isShown: true,
    hasNoReason: true,
  }),
];
