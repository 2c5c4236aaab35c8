<#-- The page docs/licences.md, as dev/update-licences has it written. -->
<#function short name>
  <#local n = name?lower_case>
  <#if n?contains("apache")><#return "Apache-2.0"></#if>
  <#if n?contains("cddl")><#return "CDDL-1.0 or GPL-2.0 with Classpath Exception"></#if>
  <#if n?contains("gpl2")><#return "GPL-2.0 with Classpath Exception"></#if>
  <#if n?contains("epl") || n?contains("eclipse public license v2")><#return "EPL-2.0"></#if>
  <#if n?contains("bsd") && n?contains("2")><#return "BSD-2-Clause"></#if>
  <#if n == "go license" || (n?contains("bsd") && !n?contains("0bsd"))><#return "BSD-3-Clause"></#if>
  <#if n?contains("mit") && n != "mit-0"><#return "MIT"></#if>
  <#if n?contains("cc0")><#return "CC0-1.0"></#if>
  <#return name>
</#function>
<#function text licences>
  <#local names = licences?map(it -> short(it))>
  <#return names?join(" or ")>
</#function>
<#function isPermissive licences>
  <#list licences as it>
    <#if ["Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "MIT", "MIT-0", "CC0-1.0"]?seq_contains(short(it))><#return true></#if>
  </#list>
  <#return false>
</#function>
<#macro rows permissive>
| library | version | licence |
|---|---|---|
<#list dependencyMap as entry>
<#if isPermissive(entry.value) == permissive>
| ${entry.key.groupId}:${entry.key.artifactId} | ${entry.key.version} | ${text(entry.value)} |
</#if>
</#list>
</#macro>
# Licences

Postcommit is licensed under [Apache-2.0](../LICENSE). Its published modules need the libraries below to compile or to run. `outbox-publisher.jar` and the container
image contain those of the server, and the loader of Spring Boot (Apache-2.0). The programs that come with the testkit are Postgres (PostgreSQL License) and
Redis 6.2 (BSD-3-Clause).

The licences are those that the POM of each library names; *or* separates alternatives. `dev/update-licences` writes this page.

## Not permissive

Weak copyleft: if you distribute one of these libraries, you must offer its source code, too. This does not extend to programs that use the library unchanged, as
Postcommit does.

<@rows permissive=false/>

## Permissive

<@rows permissive=true/>
