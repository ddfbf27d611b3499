import { isProgram } from "../permissions/actor.ts";
import type { Command } from "./command.ts";

/** Whether a complete line only opens the form. A program has to say that it is sure. */
export const mustConfirm = (command: Command, userId: string): boolean =>
  command.kind === "change" && command.confirms !== undefined && (command.asksFirst === undefined || isProgram(userId));
