/** The number of unseen messages. */
export function Count({ count }: { readonly count: number }) {
  return (
    <span class="count">
      {count}
      <span class="for-readers"> new</span>
    </span>
  );
}

/** Scrolls down to new messages. */
export function NewerButton({ onClick }: { readonly onClick: () => void }) {
  return (
    <button type="button" class="button primary newer" onClick={onClick}>
      New messages ↓
    </button>
  );
}
