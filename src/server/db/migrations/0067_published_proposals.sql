-- Whether a proposal came into force is remembered: a published report may be proposed again, so that its existence says nothing of any one proposal.
-- `content` is what the report and its texts say under the proposal; proposals from before have none, and count as published once their report exists.
alter table report_proposal add column content text, add column published_at timestamptz;
