package dev.postcommit.spring.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.spring.Contexts;
import dev.postcommit.spring.settings.SetupException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/** In which manager's transactions event handlers run. */
class InboxManagerTest {
  private final DataSource dataSource = Contexts.nowhere();
  private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

  private PlatformTransactionManager add(String name, PlatformTransactionManager manager) {
    beans.registerSingleton(name, manager);
    return manager;
  }

  private PlatformTransactionManager addPrimary(String name, PlatformTransactionManager manager) {
    RootBeanDefinition primary =
        new RootBeanDefinition(PlatformTransactionManager.class, () -> manager);
    primary.setPrimary(true);
    beans.registerBeanDefinition(name, primary);
    return manager;
  }

  private static PlatformTransactionManager ofAnother() {
    return new JdbcTransactionManager(Contexts.nowhere());
  }

  private PlatformTransactionManager found() {
    return InboxManager.of(beans, dataSource);
  }

  @Test
  void theOneOfTheDataSourceIsTakenThoughNoneIsPrimary() {
    add("others", ofAnother());
    PlatformTransactionManager own = add("own", new JdbcTransactionManager(dataSource));

    assertThat(found()).isSameAs(own);
  }

  @Test
  void theOneOfTheDataSourceIsTakenThoughAnotherIsPrimary() {
    addPrimary("others", ofAnother());
    JpaTransactionManager own = new JpaTransactionManager();
    own.setDataSource(dataSource);
    add("own", own);

    assertThat(found()).isSameAs(own);
  }

  @Test
  void ofSeveralOfTheDataSourceThePrimaryOneIsTaken() {
    add("first", new JdbcTransactionManager(dataSource));
    PlatformTransactionManager second =
        addPrimary("second", new JdbcTransactionManager(dataSource));

    assertThat(found()).isSameAs(second);
  }

  @Test
  void theOnlyOneMayBeOfAKindThatIsNotKnown() {
    PlatformTransactionManager only = add("only", ofAnother());

    assertThat(found()).isSameAs(only);
  }

  @Test
  void withoutAManagerOrAChoiceTheApplicationDoesNotStart() {
    assertThatThrownBy(this::found)
        .isInstanceOf(SetupException.class)
        .hasMessageContaining("there is no transaction manager");
    add("first", ofAnother());
    add("second", ofAnother());
    assertThatThrownBy(this::found)
        .isInstanceOf(SetupException.class)
        .hasMessageContaining("several transaction managers (first, second)");
    addPrimary("third", ofAnother());
    add("fourth", new JdbcTransactionManager(dataSource));
    add("fifth", new JdbcTransactionManager(dataSource));
    assertThatThrownBy(this::found)
        .isInstanceOf(SetupException.class)
        .hasMessageContaining("fifth, first, fourth, second, third");
  }
}
