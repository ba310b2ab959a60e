import { recipes } from "@nido/contract";
import { LayoutGrid } from "lucide-react";
import { useState } from "react";
import { Badge } from "../ui/Badge.tsx";
import { Button } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { CopyLine } from "../ui/CopyLine.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Field, SelectField } from "../ui/Field.tsx";
import { LinkTabs } from "../ui/LinkTabs.tsx";
import { Logo } from "../ui/Logo.tsx";
import { Row, Rows } from "../ui/Rows.tsx";
import { RuleLine } from "../ui/RuleLine.tsx";
import { recipeLook } from "../ui/recipeLook.ts";
import { Segments } from "../ui/Segments.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";

/** All components of `ui/` in both themes. In development only, at /kit. */
export function KitScreen() {
  return (
    <div className="grid grid-cols-1 gap-4 xl:grid-cols-2">
      {(["light", "dark"] as const).map((theme) => (
        <div
          key={theme}
          data-theme={theme}
          className="space-y-6 rounded-card border border-line bg-background p-6 text-ink"
        >
          <Specimens />
        </div>
      ))}
    </div>
  );
}

function Specimens() {
  const [interval, setInterval] = useState<"year" | "month">("year");
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Logo brand="Nido" />
      <div className="flex flex-wrap gap-3">
        <Button look="primary">Primary</Button>
        <Button>Plain</Button>
        <Button look="danger">Danger</Button>
        <Button size="small">Small</Button>
        <Button busy>Busy</Button>
        <Button disabled>Disabled</Button>
        <Button onClick={() => setIsOpen(true)}>Dialog</Button>
      </div>
      <div className="flex flex-wrap gap-2">
        {recipes.map((recipe) => (
          <Badge key={recipe} tone={recipeLook(recipe).tone}>
            {recipe}
          </Badge>
        ))}
        <Badge tone="neutral">neutral</Badge>
      </div>
      <Segments<"year" | "month">
        label="Interval"
        value={interval}
        options={[
          { value: "year", label: "Yearly" },
          { value: "month", label: "Monthly" },
        ]}
        onChange={setInterval}
      />
      <LinkTabs
        label="Tabs"
        tabs={[
          { to: "/kit", label: "Current", isCurrent: true },
          { to: "/kit?other", label: "Other", isCurrent: false },
        ]}
      />
      <Field label="Field" hint="A hint" placeholder="Placeholder" />
      <Field label="With a fault" error="What is wrong, and what to do" defaultValue="text" />
      <Field label="Large" large suffix=".nido.site" defaultValue="tiendadelrio" />
      <SelectField label="Select">
        <option>One</option>
        <option>Two</option>
      </SelectField>
      <ul>
        <RuleLine verdict="met" label="met">
          A rule that holds
        </RuleLine>
        <RuleLine verdict="unmet" label="unmet">
          A rule that does not
        </RuleLine>
        <RuleLine verdict="pending" label="pending">
          A rule that is being checked
        </RuleLine>
      </ul>
      <CopyLine text="nido publish" label="Publish" />
      <ErrorBox>What happened, why, and what to do next.</ErrorBox>
      <Rows title="Rows">
        <Row label="Label" action={<Button size="small">Edit</Button>}>
          Value
        </Row>
      </Rows>
      <Card className="p-5">A card</Card>
      <EmptyState icon={LayoutGrid} title="Nothing here yet" action={<Button look="primary">Make one</Button>}>
        What would be here, and how it comes to be.
      </EmptyState>
      <Skeleton count={1} className="h-20" />
      {isOpen && (
        <Dialog title="Dialog" note="A note" closeLabel="Close" onClose={() => setIsOpen(false)}>
          <Field label="Field" />
        </Dialog>
      )}
    </>
  );
}
