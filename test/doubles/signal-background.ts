// What an account receives besides messages, in the shapes of signal-cli's JSON output (src/main/java/org/asamk/signal/json):
// typing before each message, receipts for everything that was sent, and what other devices and groups cause.
import type { SignalPerson } from './signal-people.ts';

type Content = Readonly<Record<string, unknown>>;

export const typing = (action: 'STARTED' | 'STOPPED', timestamp: number): Content => ({
  typingMessage: { action, timestamp },
});

/** Delivered and read, in no order, and one of them twice: a device that was offline sends its own. */
export function receiptsFor(sent: number, when: number): readonly Content[] {
  const receipt = (kind: 'isDelivery' | 'isRead'): Content => ({
    receiptMessage: {
      ...{ when, isDelivery: false, isRead: false, isViewed: false, timestamps: [sent] },
      [kind]: true,
    },
  });
  return [receipt('isRead'), receipt('isDelivery'), receipt('isDelivery')];
}

/** Of the owner's phone: what was read there, a contact list that has changed, and a block list. */
export function syncs({ uuid, number }: SignalPerson, timestamp: number): readonly Content[] {
  const sender = {
    sender: number ?? uuid,
    senderNumber: number ?? null,
    senderUuid: uuid ?? null,
    timestamp,
  };
  return [
    { syncMessage: { readMessages: [sender] } },
    { syncMessage: { type: 'CONTACTS_SYNC' } },
    { syncMessage: { blockedNumbers: [], blockedGroupIds: [] } },
  ];
}

/** Of a person, in a message that has no text: group changes, a timer for disappearing messages, deletions, stories, calls. */
export function wordless(timestamp: number, group: string): readonly Content[] {
  const message = {
    timestamp,
    message: null,
    expiresInSeconds: 0,
    isExpirationUpdate: false,
    viewOnce: false,
  };
  const groupInfo = { groupId: group, groupName: 'A group', revision: 2, type: 'UPDATE' };
  return [
    { dataMessage: { ...message, groupInfo } },
    { dataMessage: { ...message, expiresInSeconds: 604_800, isExpirationUpdate: true } },
    { dataMessage: { ...message, remoteDelete: { timestamp: 1 } } },
    { dataMessage: { ...message, sticker: { packId: 'x', stickerId: 1 } } },
    { dataMessage: { ...message, payment: { note: 'thanks', receipt: 'AA==' } } },
    { storyMessage: { allowsReplies: true, textAttachment: { text: 'my day' } } },
    { callMessage: { offerMessage: { id: 1, type: 'AUDIO_CALL' } } },
  ];
}
