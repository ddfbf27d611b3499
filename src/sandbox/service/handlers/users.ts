import type { User } from "../account.ts";
import { ApiError, findOrThrow, invalidValue } from "../api-error.ts";
import type { Handler, HandlerAnswer, HandlerContext, Handlers } from "../handler.ts";

const modifyUser: Handler<"ModifyUser"> = ({ id, emailAddress, status }, context) => {
  const user = findOrThrow(context.account.users, "User", id);
  if (emailAddress !== undefined) requireUnusedEmail(emailAddress, user.userId, context);
  return save({ ...user, emailAddress: emailAddress ?? user.emailAddress, status: status ?? user.status }, context);
};

const removeUserMfa: Handler<"RemoveUserMfa"> = ({ id, mfaType }, context) => {
  const user = findOrThrow(context.account.users, "User", id);
  if (user.mfaType !== mfaType) throw invalidValue("mfaType", `The user's MFA type is not ${mfaType}.`);
  return save({ ...user, mfaType: "none" }, context);
};

const detachManagedPolicy: Handler<"DetachManagedPolicy"> = ({ id, managedPolicyId }, context) => {
  const user = findOrThrow(context.account.users, "User", id);
  findOrThrow(context.account.managedPolicies, "ManagedPolicy", managedPolicyId);
  const managedPolicies = user.managedPolicies.filter((policy) => policy.managedPolicyId !== managedPolicyId);
  if (managedPolicies.length === user.managedPolicies.length) {
    throw new ApiError(
      400,
      "ManagedPolicyNotAttached",
      `ManagedPolicy ${managedPolicyId} is not attached to the user.`,
    );
  }
  return { ...save({ ...user, managedPolicies }, context), managedPolicies };
};

function requireUnusedEmail(emailAddress: string, id: string, { account }: HandlerContext): void {
  const wanted = emailAddress.toLowerCase();
  const isUsed = [...account.users.values()].some(
    (other) => other.userId !== id && other.emailAddress.toLowerCase() === wanted,
  );
  if (isUsed) throw new ApiError(400, "EmailAddressInUse", "The e-mail address is already used by another user.");
}

/** Only DetachManagedPolicy answers with policies (API.md, "User"). */
function save(user: User, { account }: HandlerContext): HandlerAnswer<"ModifyUser"> {
  account.users.set(user.userId, user);
  const { managedPolicies: _, ...shown } = user;
  return shown;
}

export const userHandlers = {
  ModifyUser: modifyUser,
  RemoveUserMfa: removeUserMfa,
  DetachManagedPolicy: detachManagedPolicy,
} satisfies Partial<Handlers>;
