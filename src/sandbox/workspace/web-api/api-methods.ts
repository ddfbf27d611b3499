import type { ApiMethod } from "./api-method.ts";
import { appsConnectionsOpen, authTest } from "./app-methods.ts";
import { chatDelete, chatGetPermalink, chatUpdate } from "./chat-edit.ts";
import { chatPostEphemeral, chatPostMessage } from "./chat-post.ts";
import {
  conversationsInfo,
  conversationsJoin,
  conversationsMembers,
  conversationsOpen,
} from "./conversations-methods.ts";
import { functionsCompleteError, functionsCompleteSuccess } from "./functions-methods.ts";
import { userGroupsList } from "./user-groups-methods.ts";
import { usersInfo, usersList, usersLookupByEmail } from "./users-methods.ts";
import { viewsOpen, viewsPublish, viewsPush, viewsUpdate } from "./views-methods.ts";

/** All supported methods. Any other is `unknown_method`. */
export const apiMethods: ReadonlyMap<string, ApiMethod> = new Map([
  ["apps.connections.open", appsConnectionsOpen],
  ["auth.test", authTest],
  ["chat.delete", chatDelete],
  ["chat.getPermalink", chatGetPermalink],
  ["chat.postEphemeral", chatPostEphemeral],
  ["chat.postMessage", chatPostMessage],
  ["chat.update", chatUpdate],
  ["conversations.info", conversationsInfo],
  ["conversations.join", conversationsJoin],
  ["conversations.members", conversationsMembers],
  ["conversations.open", conversationsOpen],
  ["functions.completeError", functionsCompleteError],
  ["functions.completeSuccess", functionsCompleteSuccess],
  ["usergroups.list", userGroupsList],
  ["users.info", usersInfo],
  ["users.list", usersList],
  ["users.lookupByEmail", usersLookupByEmail],
  ["views.open", viewsOpen],
  ["views.publish", viewsPublish],
  ["views.push", viewsPush],
  ["views.update", viewsUpdate],
]);
