import type { z } from "zod";
import type { OperationName, operations, PathParameter } from "../../service/operations.ts";
import type { Account } from "./account.ts";

type Rows = typeof operations;
type Part<O extends OperationName, K extends "query" | "body"> =
  Rows[O] extends Record<K, infer S extends z.ZodType> ? z.output<S> : unknown;

/** What a handler is given: the request's path parameters, query and body in one object, checked and with defaults filled in. */
export type HandlerInput<O extends OperationName> = { [K in PathParameter<Rows[O]["path"]>]: string } & Part<
  O,
  "query"
> &
  Part<O, "body">;

/** What a handler sends: `null` and odd values included, as the schema of the answer reads them. */
export type HandlerAnswer<O extends OperationName> = Rows[O] extends { answer: infer S extends z.ZodType }
  ? z.input<S>
  : undefined;

export interface HandlerContext {
  readonly account: Account;
  readonly now: () => number;
  /** A new id of the observed shape (observed.md, "Id shapes"), such as `cred-00000101`. */
  readonly newId: (prefix: string) => string;
}

/** Acts on the account and answers, or throws a `Refusal` before anything has changed. */
export type Handler<O extends OperationName> = (input: HandlerInput<O>, context: HandlerContext) => HandlerAnswer<O>;
