/** Scrolls down to new messages. */
export function NewerButton({ onClick }: { readonly onClick: () => void }) {
  return (
    <button type="button" class="button primary newer" onClick={onClick}>
      New messages ↓
    </button>
  );
}
