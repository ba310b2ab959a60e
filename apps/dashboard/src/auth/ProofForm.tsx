import { codeLength, type Proof, type ProofQuestion } from "@nido/contract";
import { KeyRound } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "../api/api.ts";
import { askPasskey, canUsePasskeys } from "../api/passkeys.ts";
import { Button } from "../ui/Button.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Field } from "../ui/Field.tsx";
import { Or } from "./Or.tsx";

interface Props {
  question: ProofQuestion;
  /** Sends the answer; rejects with the server's error. */
  answer(proof: Proof): Promise<void>;
}

type Typed = "totp" | "recovery" | "password";

/** Asks for one of the ways in which a customer can prove who they are. */
export function ProofForm({ question: { methods, passkey }, answer }: Props) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState<"passkey" | "typed">();
  const [fault, setFault] = useState<string>();
  const typed = (["totp", "password", "recovery"] as const).filter((method) => methods.includes(method));
  const [shown, setShown] = useState<Typed | undefined>(typed[0]);
  const hasPasskey = passkey !== undefined && canUsePasskeys();
  const other = shown === "recovery" ? typed.find((method) => method !== "recovery") : "recovery";

  async function send(kind: "passkey" | "typed", prove: () => Promise<Proof>) {
    setBusy(kind);
    setFault(undefined);
    try {
      await answer(await prove());
    } catch (error) {
      setFault(error instanceof ApiError ? t(`errors.${error.key}`) : t("proof.failed"));
      setBusy(undefined);
    }
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get("proof"));
    if (text !== "" && shown) void send("typed", async () => proofOf(shown, text));
  }

  return (
    <div>
      {hasPasskey && (
        <Button
          className="w-full"
          busy={busy === "passkey"}
          disabled={busy !== undefined}
          onClick={() => send("passkey", async () => ({ passkey: await askPasskey(passkey) }))}
        >
          {busy !== "passkey" && <KeyRound className="size-[18px]" aria-hidden="true" />}
          {t("proof.passkey")}
        </Button>
      )}
      {hasPasskey && shown && <Or>{t("proof.or")}</Or>}
      {shown && (
        <form noValidate onSubmit={submit} className="flex flex-col gap-2">
          <Field key={shown} label={t(`proof.${shown}`)} name="proof" autoFocus={!hasPasskey} {...inputs[shown]} />
          <Button type="submit" look="primary" busy={busy === "typed"} disabled={busy !== undefined}>
            {t(busy === "typed" ? "proof.confirming" : "proof.confirm")}
          </Button>
          {other && typed.includes(other) && (
            <button
              type="button"
              onClick={() => setShown(other)}
              className="self-center text-small text-ink-2 underline underline-offset-2"
            >
              {t(other === "recovery" ? "proof.useRecovery" : "proof.useTotp")}
            </button>
          )}
        </form>
      )}
      {fault && (
        <div className="mt-4">
          <ErrorBox>{fault}</ErrorBox>
        </div>
      )}
    </div>
  );
}

const inputs = {
  totp: { inputMode: "numeric", autoComplete: "one-time-code", maxLength: codeLength + 1 },
  recovery: { autoComplete: "off", autoCapitalize: "characters", spellCheck: false },
  password: { type: "password", autoComplete: "current-password" },
} as const;

function proofOf(method: Typed, text: string): Proof {
  if (method === "totp") return { code: text };
  return method === "recovery" ? { recovery_code: text } : { password: text };
}
