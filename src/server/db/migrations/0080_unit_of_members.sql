-- Members of a team come from its unit: kept beside each, whichever of them is saved first.
alter table work_team_member add column operating_unit_id bigint references operating_unit;
create index work_team_member_operating_unit_id_idx on work_team_member (operating_unit_id);
update work_team_member m set operating_unit_id = t.operating_unit_id from work_team t where t.id = m.work_team_id;

create function unit_of_member() returns trigger language plpgsql as $$
begin
  new.operating_unit_id := (select operating_unit_id from work_team where id = new.work_team_id);
  return new;
end $$;
create trigger work_team_member_unit before insert or update of work_team_id, operating_unit_id on work_team_member for each row execute function unit_of_member();

create function unit_of_members() returns trigger language plpgsql as $$
begin
  update work_team_member set operating_unit_id = new.operating_unit_id where work_team_id = new.id;
  return null;
end $$;
create trigger work_team_members_unit after update of operating_unit_id on work_team for each row execute function unit_of_members();
