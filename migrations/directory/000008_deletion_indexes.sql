-- For deleting what refers to a company or to a signature, and for checking that nothing does.
create index concurrently source_names_by_company on source_names (company_id);
create index concurrently app_connection_companies_by_company on app_connection_companies (company_id);
create index concurrently connections_by_signature on connections (signature_id) where signature_id is not null;
create index concurrently consents_by_signature on consents (signature_id);
