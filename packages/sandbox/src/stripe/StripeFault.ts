interface Details {
  type?: "invalid_request_error" | "idempotency_error" | "card_error";
  code?: string;
  param?: string;
}

/** An API error with the message and body that Stripe would send. */
export class StripeFault extends Error {
  override name = "StripeFault";
  readonly status: number;
  /** The call was refused after its parameters had been accepted. */
  isExecuted = false;
  readonly body: { error: { type: string; message: string; code?: string; param?: string } };

  constructor(status: number, message: string, { type = "invalid_request_error", ...details }: Details = {}) {
    super(message);
    this.status = status;
    this.body = { error: { type, message, ...details } };
  }
}
