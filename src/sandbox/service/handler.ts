import type { z } from "zod";
import type { OperationName, operations, PathParameter, SentAnswer } from "../../service/operations.ts";
import type { Account } from "./account.ts";

type Rows = typeof operations;
type Part<O extends OperationName, K extends "query" | "body"> =
  Rows[O] extends Record<K, infer S extends z.ZodType> ? z.output<S> : unknown;

/** The request's path parameters, query and body in one object, validated and with defaults filled in. */
export type HandlerInput<O extends OperationName> = { [K in PathParameter<Rows[O]["path"]>]: string } & Part<
  O,
  "query"
> &
  Part<O, "body">;

/** The answer before the client's schema reads it, so with `null` and other odd values. */
export type HandlerAnswer<O extends OperationName> = SentAnswer<O>;

export interface HandlerContext {
  readonly account: Account;
  readonly now: () => number;
  /** A new id of the observed shape (API.md, "Observed": Id shapes), such as `cred-00000101`. */
  readonly newId: (prefix: string) => string;
}

/** Performs the operation on the account and answers, or throws an `ApiError` before anything has changed. */
export type Handler<O extends OperationName> = (input: HandlerInput<O>, context: HandlerContext) => HandlerAnswer<O>;

export type Handlers = { readonly [O in OperationName]: Handler<O> };

/** The audit fields that every change sets. */
export function modified({ account, now }: HandlerContext): { lastModifiedDate: string; lastModifiedBy: string } {
  return { lastModifiedDate: new Date(now()).toISOString(), lastModifiedBy: account.apiUserId };
}
