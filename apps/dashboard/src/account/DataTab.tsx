import { CloseAccount } from "./CloseAccount.tsx";
import { DownloadData } from "./DownloadData.tsx";

/** What customers who want to leave need: a copy of their data, and closing the account. */
export function DataTab() {
  return (
    <>
      <DownloadData />
      <CloseAccount />
    </>
  );
}
