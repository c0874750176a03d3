import { expect, it } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { HermesError } from '../base/errors.ts';
import { type TopicNews, Topics } from './topics.ts';

it('P7: hides secrets in the error of a topic that cannot be looked up', async () => {
  const news = Promise.withResolvers<TopicNews>();
  const topics = new Topics({
    clock: systemClock,
    ask: () => Promise.reject(new HermesError('UNAVAILABLE_STORE', 'it said s3cret')),
    redact: text => text.replaceAll('s3cret', '[redacted:known]'),
    isWatched: topic => topic === 'status',
    publish: news.resolve,
  });
  topics.refresh();
  const error = { code: 'UNAVAILABLE_STORE', message: 'it said [redacted:known]' };
  expect(await news.promise).toEqual({ topic: 'status', error });
  topics.close();
});
