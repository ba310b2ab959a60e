import type { User } from "@nido/contract";

/** The customer's picture or initials. Hidden from screen readers, because the name is always next to it. */
export function Avatar({ user, size = 34 }: { user: User; size?: number }) {
  const initials = [user.given_name, user.family_name].map((name) => name.charAt(0)).join("") || user.email.charAt(0);
  const box = { width: size, height: size };
  if (user.avatar_url)
    return <img src={user.avatar_url} alt="" referrerPolicy="no-referrer" style={box} className="rounded-full" />;
  return (
    <span
      aria-hidden="true"
      style={{ ...box, fontSize: size * 0.38 }}
      className="grid shrink-0 place-items-center rounded-full bg-brand-soft font-[640] text-brand uppercase"
    >
      {initials}
    </span>
  );
}
