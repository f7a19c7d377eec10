-- Whom a row of the matrix asks is kept as the code of a role, an address or a position; people read the name of it, as it is called now.
alter table approval_matrix add column approver_name text;

create function named_approver(kind text, ref text) returns text language sql stable as $$
  select coalesce(case kind when 'ROLE' then (select name from role where code = ref) when 'USER' then (select name from app_user where lower(email) = lower(ref)) end, ref)
$$;

create function name_approver() returns trigger language plpgsql as $$
begin
  new.approver_name := named_approver(new.approver_kind, new.approver_ref);
  return new;
end $$;
create trigger approval_matrix_approver_name before insert or update of approver_kind, approver_ref on approval_matrix for each row execute function name_approver();

create function rename_approver() returns trigger language plpgsql as $$
begin
  update approval_matrix set approver_name = named_approver(approver_kind, approver_ref) where approver_kind = tg_argv[0];
  return null;
end $$;
create trigger role_approver_name after insert or update of name, code on role for each row execute function rename_approver('ROLE');
create trigger app_user_approver_name after insert or update of name, email on app_user for each row execute function rename_approver('USER');

update approval_matrix set approver_name = named_approver(approver_kind, approver_ref);
